/**
 * RT-78: somebody's text, so that none of its lines can pass for one of ours. Models also take other signs than line feeds for the end of a line, such
 * as form feeds or NEL.
 */
export const quotedLines = (text: string): string => text.replaceAll(LINE_BEGINS, '> ');

/** The same in one line. */
export const quotedInLine = (text: string): string => `“${text.replaceAll(BREAKS, ' ').replaceAll(/["“”]/gu, "'").trim()}”`;

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const LINE_BEGINS = /^|(?<=[\u000b\u000c\u001c-\u001e\u0085])/gmu;
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const BREAKS = /[\s\u001c-\u001e\u0085]+/gu;
