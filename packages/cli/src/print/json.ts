/** JSON that is safe to display: control characters that JSON permits are escaped, too. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
