/** A reason of a close may have 123 bytes; what is cut must stay UTF-8. */
export const cutReason = (text: string): string => {
  let cut = text.slice(0, MOST);
  while (Buffer.byteLength(cut) > MOST) cut = cut.slice(0, -1);
  return cut.replace(/[\ud800-\udbff]$/u, '');
};

const MOST = 123;
