/** What comes of some bytes: whole lines, and how many were too long to be kept. */
export type Cut = { readonly lines: readonly string[]; readonly tooLong: number };

/**
 * RT-3: cuts what a program prints into lines. A line that is longer than allowed is let go as it comes, up to its end: nobody fills our memory by never
 * ending a line. What is not UTF-8 is read with replacement characters, and refused by whoever parses it.
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
      // A copy: the buffer of a stream is used again, and a small rest would keep all of it.
      keep(Buffer.from(bytes.subarray(from)));
      return { lines, tooLong };
    },
    // Half a line at the end was never said: whoever wrote it died over it.
    end: () => {
      const wasTooLong = isSkipping;
      finish([]);
      return { lines: [], tooLong: wasTooLong ? 1 : 0 };
    },
  };
};

const NEWLINE = 0x0a;
