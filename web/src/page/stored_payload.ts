import type {Payload} from "../data/payload";

async function unpacked(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** What the page carries, as it is or compressed. */
export async function stored_payload(): Promise<Payload> {
  const packed = document.getElementById("payload-gz")?.textContent;
  const text = packed ? await unpacked(packed) : document.getElementById("payload")?.textContent;
  if (!text) throw new Error("the file holds no data.");
  return JSON.parse(text) as Payload;
}
