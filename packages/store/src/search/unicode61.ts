/**
 * What the `unicode61 remove_diacritics 2` tokenizer of SQLite's FTS5 makes of each character. The tables are written out instead of using `\p{L}`
 * and `toLowerCase`, which change with every Node: a word indexed yesterday would not be found today. A test compares all of them.
 */

/** Ends a word. */
export const SEPARATOR = 0;
/** Belongs to the word before it and leaves no trace; a separator if no word precedes it. */
export const DIACRITIC = -1;

/** The character as indexed, or SEPARATOR, or DIACRITIC. Half of a surrogate pair is a separator, like U+FFFD, which replaces it. */
export const foldOf = (code: number): number => {
  if (code < 0x10000) return BASIC[code] ?? SEPARATOR;
  if (code >= DESERET && code < DESERET + DESERET_COUNT) return code + DESERET_COUNT;
  return isAstralSeparator(code) ? SEPARATOR : code;
};

/** The other characters that fold to this one. */
export const variantsOf = (folded: number): readonly number[] => VARIANTS.get(folded) ?? NONE;

const isAstralSeparator = (code: number): boolean => {
  let low = 0;
  let high = ASTRAL.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = ASTRAL[middle] ?? [0, 0];
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
};

// All three tables: numbers in base 36, each counted from the end of the previous one (the first from 128); `.n` means n more that follow directly,
// `~n` every second one.
const SEPARATORS = `
0.15 2.6 3 2.2 3 4 o w cr.3 d.d 6.6 2 2.g 6 8.1 2 2.8 2.6 7.3 3 3.1p 6 9 6.1 2 33 3w.7 5t.5 16.1 5 2.1i 18.1 c.4 2.l 3.1 18.k b.3 3
2s 2.e 3.6 g.1 2.d 2 2 v.q 2k.a 1n.8 3.3 t.3 2.8 2.2 2.4 3.e r.2 3 3q.q 2.3 1j.2 2.h 2.6 b.3 b h.2 1l 2.6 3.1 3.2 a b.1 f.1 7.1 6.2
1l 2.4 5.1 3.2 4 v.1 4 c.2 1l 2.7 2.2 2.2 l.1 d.1 g.2 1l 2.6 3.1 3.2 9.1 b.1 d i 1o.4 4.2 2.3 a s.7 7.2 1n.6 2.2 2.3 8.1 c.1 s 3.1
1l 2.6 2.2 2.3 8.1 c.1 v.1 1n.6 2.2 2.3 a b.1 m 9.1 1z 5.5 2 2.7 j.2 1p 3.6 5 8.8 b.1 2e 3.5 2.1 c.5 1g.u l.b 1e.m 6.a 2.z 2.e 2.c
29.j c.5 7.3 5.2 2.2 3.6 4.3 e.b 2 b.5 2k gy.b 14.9 2v h9.1 i r.1 27.2 11.2 u.4 s.1 v.1 1t.y 2.3 2 z.e 4b 3b.b 5.b 5 4.1 2z.g 8.1
l.x o.4 3.1 1i.9 2.s 3 x.6 2.5 2b.4 1c.g m.y 4.2 v.c 1l.d 9.3 11.j 4.4 1r.1 1t.7 9.o 5 5.2 5o.12 m.3 ce 2.2 c.2 e.2 e.2 e.1 2.2s 6.5
b.4 c.4 i.p n.w g.1 2.3 2.1 b 2.2 6.5 2 2 2 5 c.1 5.4 6.3 2 1t.gz d.12 q.a 2a.25 n.e7 2.38 v.qg 4.9 b0.5 5.2 8.3 2.1 35 f 2p.26 2.b
1x.p 2.2g d.5x r.b 5.4 4.o a.6 6.1 6.2 2i.3 4 2j 45.1 5.9 x.z t.u c.t 9 g.v b.12 g.1q 2.73 535.1r h3l.1i 1k.1 7i.2 2o.f x 29.7 9.m
a.1 2w.1 3c 4 5 o.8 b.3 1n.3 9.1 1f.g a.1 h.h 7.2 18.9 o.c c x.3 1c.q h.1 22.d d 9.1 f.3 o.2 2 1h 2.2 3.1 6.1 2 t.1 c.6 4.1 6l.a fn5
b 3t.f al.1 59.1 3.p 7.6 a.y 2.i 2.3 44 2.e b.6 r.5 r.a 3f.6 2.6 b.6 75.2 1h.8 1m.g 7.b 1h.19 bm 1d w7 5k w 5e.2 2.1 6.3 15.2 5 h.8
13 56.6 xt.2 1i.l 1f.2 1a.h 1r.2 11.d c.3 1p.2 1d.d 5.3 yr.c 2pl.3 ese.19 h.3 j1q.6t b.12 3.50 z.1x 57.2e ob q w q w q w q w q 4kt.1
7j.17 5.2r d.e 3.d 3.e 2.e 1d.u 2.1n 5.16 24.s e.16 6.8 8.1 4v.w g.5 2.1x 4.j d.10 2.4 m.g g.1q 2 2.51 2.3 4.1p 3.3 d.n 44.1x 5.a
1d.1x 1n.37 gwi6 v.2n 3l.6n`;

// For each letter, the characters that fold to it.
const LATIN = `
a:1s.5,r.5,r.5,5k.1,g.1,r.1,5.3,z.1,5i1.1,4f.n,hg b:5tu.5 c:1z,w,v.7,5q3.1 d:3y.1,5q3.9 e:20.3,t.3,13.9,6h.3,x.1,5ij.9,4b.f f:5um.1
g:4c.7,5f.1,d.1,5kb.1 h:4k.1,6x.1,5j7.9,2z i:24.3,t.3,1l.8,4f.1,1k.3,5k1.3,49.3 j:50.1,57 k:52.1,4x.1,5l3.5,l1 l:55.5,5q0.7 m:5vi.5
n:29,w,2a.5,4w.1,5l7.7 o:2a.4,s.4,2e.5,27.1,1c.1,o.3,v.3,r.7,5jv.7,3d.n p:5w4.3 r:5w.5,53.3,5l1.7 s:62.7,u,49.1,5l3.9,1e
t:6a.3,51.1,5lb.7,12 u:2h.3,t.3,30.b,1o.1,z.9,1k.3,5ln.9,2x.d v:5x8.3 w:6s.1,5qj.9,f x:5xm.3 y:2l,w~1,3b.2,56.1,5ln.1,a,2h.7
z:6x.5,5qq.5`;

// After the colon, the distance to the lower-case letter; 1 if missing.
const CASES = `
1h:lj h:w a:w 8:w 6:w 1e m c d~1 9 8 k r:5u 1~1 2:5q 1 2.1:5p 1 3:27 1:5m 1:5n 1 2:5p 1:5r 2:5v 1:5t 1 4:5v 1:5x 2:5y 3~1 2:62 1
2:62 3 2:62 3.1:61 1~1 2:63 1 4 8:2 1 2:2 1 2:2 1 l~2 a 3:2 1 4:-2p 1:-1k 5~1 u 4:-3m 2~1 m:8bv 1 2:-4j 1:8bs 3 2:-5f 1:1x 1:1z 1~4
82~1 4 g:12 2.2:11 2:1s 2.1:1r 2.g:w 2.8:w n d:8 1:-u 1:-p 4:-f 1:-m 2~b 2:-1i 1:-1c 3:-1o 1:-1s 2 2:-7 1 3.2:-3m 1.f:28 1.v:w 1d~g
a~q 2:f 1~6 3~17 b.11:1c 28a.11:5ls 2:5ls 6:5ls 2q9:-5vj 2k~2 a.7:-8 9.5:-8 b.7:-8 9.7:-8 9.5:-8 c~3:-8 9.7:-8 p.7:-8 9.7:-8 9.7:-8
9.1:-8 1.1:-22 1:-9 2:-5j9 a.3:-2e 1:-9 c.1:-8 1.1:-2s d.1:-8 1.1:-34 1:-7 c.1:-3k 1.1:-3i 1:-9 8a:-5st c:s 1a.f:g k 22l.1a:1c 1e
2:-8af 1:-2xy 1:-89z 3~2 2:-8bg 1:-8al 1:-8bj 1:-8bi 2 3 9.1:-8cf 1~1d 9~1 5 nym~m k~b 3w~6 4~u b~1 2:-r9g 1~4 5 2:-wmg 3~1 e~4
2:-wn8 h9z.p:w`;

/** What foldOf calls a diacritic, for a character class. */
export const DIACRITIC_CLASS = String.raw`\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331`;

const DESERET = 0x10400;
const DESERET_COUNT = 40;
const NONE: readonly number[] = [];

type Run = { readonly first: number; readonly last: number; readonly step: number; readonly rest: string };

const runsOf = (table: string, between: string | RegExp): readonly Run[] => {
  let at = 128;
  return table
    .trim()
    .split(between)
    .map((item) => {
      const [, gap = '', sign = '', more = '0', rest = '1'] = /^(\w+)(?:([.~])(\w+))?(?::(.+))?$/u.exec(item) ?? [];
      const first = at + Number.parseInt(gap, 36);
      const step = sign === '~' ? 2 : 1;
      at = first + Number.parseInt(more, 36) * step;
      return { first, last: at, step, rest };
    });
};

const SEPARATOR_RUNS = runsOf(SEPARATORS, /\s+/u);
const ASTRAL: readonly (readonly [number, number])[] = SEPARATOR_RUNS.flatMap(({ first, last }) => (last > 0xffff ? [[first, last] as const] : []));

// All of ASCII except letters and digits, and halves of surrogate pairs.
const ASCII_SEPARATORS = '\\0-/:-@\\[-`{-\\x7f\\ud800-\\udfff';

/** What foldOf calls a separator, for a character class with the flag u. */
export const SEPARATOR_CLASS = `${ASCII_SEPARATORS}${SEPARATOR_RUNS.map(({ first, last }) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')}`;

const BASIC: Int32Array = (() => {
  const table = Int32Array.from({ length: 0x10000 }, (_, code) => code);
  table.fill(SEPARATOR, 0xd800, 0xe000);
  for (const { first, last } of SEPARATOR_RUNS) table.fill(SEPARATOR, first, last + 1);
  for (let code = 0; code < 128; code += 1) if (!/[a-z0-9]/iu.test(String.fromCharCode(code))) table[code] = SEPARATOR;
  for (let code = 65; code <= 90; code += 1) table[code] = code + 32;
  for (const { first, last, step, rest } of runsOf(CASES, /\s+/u)) {
    for (let code = first; code <= last; code += step) table[code] = code + Number.parseInt(rest, 36);
  }
  for (const group of LATIN.trim().split(/\s+/u)) {
    for (const { first, last, step } of runsOf(group.slice(2), ',')) {
      for (let code = first; code <= last; code += step) table[code] = group.charCodeAt(0);
    }
  }
  const diacritic = new RegExp(`[${DIACRITIC_CLASS}]`, 'u');
  for (let code = 0x300; code < 0x340; code += 1) if (diacritic.test(String.fromCharCode(code))) table[code] = DIACRITIC;
  return table;
})();

const VARIANTS: ReadonlyMap<number, readonly number[]> = (() => {
  const variants = new Map<number, number[]>();
  const add = (folded: number, code: number): void => {
    const known = variants.get(folded);
    if (known === undefined) variants.set(folded, [code]);
    else known.push(code);
  };
  for (const [code, folded] of BASIC.entries()) if (folded > 0 && folded !== code) add(folded, code);
  for (let code = DESERET; code < DESERET + DESERET_COUNT; code += 1) add(code + DESERET_COUNT, code);
  return variants;
})();
