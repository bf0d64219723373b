/** One of the things the page shows, under a tab of its own. */
export interface View {
  readonly id: string;
  readonly title: string;
  /** About the network that was chosen, which is then shown beside it. */
  readonly of_network: boolean;
  readonly element: HTMLElement;
  /** It can now be seen. */
  open(): void;
  /** It can no longer be seen. */
  close(): void;
}
