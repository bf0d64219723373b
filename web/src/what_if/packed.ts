// Lists of numbers as they travel: IEEE doubles or floats, little-endian, in base64. Without
// `atob`, which exists in browsers only.

const kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const kValues = new Int8Array(128).fill(-1);
for (let i = 0; i < kDigits.length; ++i) kValues[kDigits.charCodeAt(i)] = i;

function sextet(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const value = code < 128 ? kValues[code] : -1;
  if (value < 0) throw new Error("is not base64");
  return value;
}

function bytes_of(text: string): DataView {
  if (text.length % 4 !== 0) throw new Error("is not whole base64");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.length - padding, bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0, held = 0, next = 0;
  for (let i = 0; i < digits; ++i) {
    bits = ((bits << 6) | sextet(text, i)) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[next++] = bits >> held;
  }
  return new DataView(bytes.buffer);
}

export function unpack_doubles(text: string): Float64Array {
  const view = bytes_of(text);
  if (view.byteLength % 8 !== 0) throw new Error("is not whole numbers");
  const values = new Float64Array(view.byteLength / 8);
  for (let i = 0; i < values.length; ++i) values[i] = view.getFloat64(8 * i, true);
  return values;
}

export function unpack_floats(text: string): Float32Array {
  const view = bytes_of(text);
  if (view.byteLength % 4 !== 0) throw new Error("is not whole numbers");
  const values = new Float32Array(view.byteLength / 4);
  for (let i = 0; i < values.length; ++i) values[i] = view.getFloat32(4 * i, true);
  return values;
}
