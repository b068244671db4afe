/** "1 finding", "2 findings"; for words with a regular plural. */
export const counted = (number: number, one: string): string => `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;
