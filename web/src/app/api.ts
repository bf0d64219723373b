// Asks the server. Every way in which that can fail has a type of its own.
import type {Problem} from "./answers";
import {event_stream, type ServerEvent} from "./event_stream";

/** The server answered, and refused. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
  }
}

/** The server did not answer at all. */
export class Unreachable extends Error {}

/** Where a token comes from. */
export interface TokenSource {
  token(): string | null;
  /** Asks the reader; false when nobody gave one. `refused` is the token that was not accepted. */
  ask(refused: string | null): Promise<boolean>;
}

interface Ask {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly json?: unknown;
  readonly bytes?: Blob;
  readonly signal?: AbortSignal;
}

async function problem_of(response: Response): Promise<Problem> {
  const bare = {title: response.statusText || "Error", status: response.status};
  try {
    const body = (await response.json()) as Partial<Problem>;
    return {...bare, ...body, detail: body.detail ?? body.title ?? bare.title};
  } catch {
    return {...bare, detail: `The server answered with status ${response.status}.`};
  }
}

export class Api {
  /** Called when the server is found not to answer. */
  on_unreachable: () => void = () => undefined;

  constructor(private readonly tokens_: TokenSource) {}

  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return (await this.send(path, {signal})).json() as Promise<Answer>;
  }

  async post<Answer>(path: string, json: unknown, signal?: AbortSignal): Promise<Answer> {
    return (await this.send(path, {method: "POST", json, signal})).json() as Promise<Answer>;
  }

  async upload<Answer>(path: string, bytes: Blob): Promise<Answer> {
    return (await this.send(path, {method: "POST", bytes})).json() as Promise<Answer>;
  }

  async remove(path: string): Promise<void> {
    await this.send(path, {method: "DELETE"});
  }

  async text(path: string): Promise<string> {
    return (await this.send(path, {})).text();
  }

  /** EventSource cannot send a token, so the stream is read here. */
  async *events(path: string): AsyncGenerator<ServerEvent> {
    const {body} = await this.send(path, {});
    if (!body) return;
    try {
      yield* event_stream(body);
    } catch {
      this.on_unreachable();
      throw new Unreachable();
    }
  }

  private async send(path: string, ask: Ask): Promise<Response> {
    for (;;) {
      const token = this.tokens_.token();
      const response = await this.fetch(path, ask, token);
      if (response.ok) return response;
      const problem = await problem_of(response);
      if (response.status !== 401) throw new Refused(problem);
      // Another request may have been given a token in the meantime.
      if (token === this.tokens_.token() && !(await this.tokens_.ask(token)))
        throw new Refused(problem);
    }
  }

  private async fetch(path: string, ask: Ask, token: string | null): Promise<Response> {
    const headers = new Headers();
    if (token) headers.set("Authorization", `Bearer ${token}`);
    if (ask.json !== undefined) headers.set("Content-Type", "application/json");
    if (ask.bytes) headers.set("Content-Type", "application/octet-stream");
    try {
      return await fetch(path, {
        method: ask.method ?? "GET",
        headers,
        body: ask.bytes ?? (ask.json === undefined ? undefined : JSON.stringify(ask.json)),
        signal: ask.signal,
        cache: "no-store",
      });
    } catch (error) {
      if (ask.signal?.aborted) throw error;
      this.on_unreachable();
      throw new Unreachable();
    }
  }
}
