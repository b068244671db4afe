/** The reason of a close is limited to 123 bytes; it must stay valid UTF-8 when cut. */
export const cutReason = (text: string): string => {
  let cut = text.slice(0, MOST);
  while (Buffer.byteLength(cut) > MOST) cut = cut.slice(0, -1);
  return cut.replace(/[\ud800-\udbff]$/u, '');
};

const MOST = 123;
