type Child = Node | string | null | undefined;

/** An element with attributes and children; text stays text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  for (const child of children) if (child != null) made.append(child);
  return made;
}

export function button(text: string, label: string, press: () => void): HTMLButtonElement {
  const made = element("button", {type: "button", "aria-label": label}, text);
  made.addEventListener("click", press);
  return made;
}

/** Gives the reader a file; nothing leaves the page. */
export function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], {type}));
  const link = element("a", {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
}
