// The program's own estimators, compiled to WebAssembly: texts go in, texts come out.
// web/what_if_module.cpp is the other side.

/** What the module exports. Addresses and sizes are bytes of its memory. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly __stack_pointer: WebAssembly.Global;
  _initialize(): void;
  allocate(size: number): number;
  /** Takes a what-if, which replaces the one before. */
  load(text: number, size: number): void;
  /** Takes widths; gives the address of the answer, which ends with a zero byte. */
  evaluate(text: number, size: number): number;
}

/** JSON in letters that are one byte each. */
function ascii(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** One instance of the module, which holds one network. */
export class Estimators {
  private exports_!: Exports;

  /** What the module asks of the page: to be told of an error, and nothing of the system. */
  readonly imports: WebAssembly.Imports = {
    ampere: {
      fail: (text: number, size: number) => {
        throw new Error(JSON.parse(this.text(text, size)) as string);
      },
    },
    // The C library would write its last words here before it aborts.
    wasi_snapshot_preview1: {fd_close: () => 0, fd_seek: () => 0, fd_write: () => 0},
  };

  start(instance: WebAssembly.Instance): this {
    this.exports_ = instance.exports as unknown as Exports;
    this.exports_._initialize();
    return this;
  }

  /** All three throw what the estimators throw. */
  load(what_if: string): void {
    this.guarded(() => this.exports_.load(...this.written(what_if)));
  }

  evaluate(widths: string): string {
    return this.guarded(() => {
      const begin = this.exports_.evaluate(...this.written(widths));
      const bytes = new Uint8Array(this.exports_.memory.buffer);
      return this.text(begin, bytes.indexOf(0, begin) - begin);
    });
  }

  /** An error leaves the module's functions without their end: what they took of the stack is given back. */
  private guarded<Value>(call: () => Value): Value {
    const stack = this.exports_.__stack_pointer.value as number;
    try {
      return call();
    } catch (error) {
      this.exports_.__stack_pointer.value = stack;
      throw error;
    }
  }

  private written(json: string): [address: number, size: number] {
    const text = ascii(json);
    const address = this.exports_.allocate(text.length);
    const bytes = new Uint8Array(this.exports_.memory.buffer, address, text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return [address, text.length];
  }

  private text(address: number, size: number): string {
    let text = "";
    for (const letter of new Uint8Array(this.exports_.memory.buffer, address, size))
      text += String.fromCharCode(letter);
    return text;
  }
}

/** For a page, which must not wait. */
export async function start_estimators(module: WebAssembly.Module): Promise<Estimators> {
  const estimators = new Estimators();
  return estimators.start(await WebAssembly.instantiate(module, estimators.imports));
}

/** At once, for an engine without a page. */
export function start_estimators_now(module: WebAssembly.Module): Estimators {
  const estimators = new Estimators();
  return estimators.start(new WebAssembly.Instance(module, estimators.imports));
}
