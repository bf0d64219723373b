import type {Payload} from "../data/payload";

/** Compressed bytes as text, as the page carries them. */
async function unpacked(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

function text_of(id: string): string | undefined {
  return document.getElementById(id)?.textContent ?? undefined;
}

/** What the page shows, as it is or compressed. */
export async function stored_payload(): Promise<Payload> {
  const packed = text_of("payload-gz");
  const text = packed ? new TextDecoder().decode(await unpacked(packed)) : text_of("payload");
  if (!text) throw new Error("the file holds no data.");
  return JSON.parse(text) as Payload;
}

/** What computes in the page. Throws with the reason where the program that made it has none. */
export async function stored_estimators(): Promise<WebAssembly.Module> {
  const packed = text_of("estimators-gz");
  if (!packed) throw new Error(text_of("estimators-missing") ?? "the page has no estimators.");
  return WebAssembly.compile(await unpacked(packed));
}
