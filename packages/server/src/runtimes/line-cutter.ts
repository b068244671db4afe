/** The complete lines in some bytes, and how many were too long to keep. */
export type Cut = { readonly lines: readonly string[]; readonly tooLong: number };

/**
 * RT-3: cuts a program's output into lines. Overlong lines are discarded as they arrive, so a program can't fill our memory with a line that never
 * ends. Invalid UTF-8 becomes replacement characters, and the parser refuses it.
 */
export const createLineCutter = (mostBytes: number): { readonly cut: (bytes: Uint8Array) => Cut; readonly end: () => Cut } => {
  let parts: Buffer[] = [];
  let held = 0;
  let isSkipping = false;

  const keep = (part: Buffer): void => {
    if (isSkipping || part.length === 0) return;
    held += part.length;
    if (held > mostBytes) {
      parts = [];
      isSkipping = true;
    } else parts.push(part);
  };

  const finish = (lines: string[]): number => {
    const wasTooLong = isSkipping;
    const line = wasTooLong ? '' : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    held = 0;
    isSkipping = false;
    if (line !== '') lines.push(line);
    return wasTooLong ? 1 : 0;
  };

  return {
    cut: (given) => {
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      const lines: string[] = [];
      let tooLong = 0;
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
        keep(bytes.subarray(from, to));
        tooLong += finish(lines);
        from = to + 1;
      }
      // Copy: streams reuse their buffers, and a small rest would keep the whole buffer alive.
      keep(Buffer.from(bytes.subarray(from)));
      return { lines, tooLong };
    },
    // An incomplete last line doesn't count: its writer died in the middle of it.
    end: () => {
      const wasTooLong = isSkipping;
      finish([]);
      return { lines: [], tooLong: wasTooLong ? 1 : 0 };
    },
  };
};

const NEWLINE = 0x0a;
