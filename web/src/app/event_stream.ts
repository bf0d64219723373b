// Server-sent events, read from the body of an answer.
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

function parse(block: string): ServerEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 1) continue; // a comment, which keeps the connection open
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (line.startsWith("event:")) event = value;
    if (line.startsWith("data:")) data.push(value);
  }
  return data.length > 0 ? {event, data: JSON.parse(data.join("\n"))} : null;
}

export async function* event_stream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let held = "";
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    held = (held + decoder.decode(value, {stream: true})).replace(/\r\n/g, "\n");
    for (let end = held.indexOf("\n\n"); end >= 0; end = held.indexOf("\n\n")) {
      const event = parse(held.slice(0, end));
      held = held.slice(end + 2);
      if (event) yield event;
    }
  }
}
