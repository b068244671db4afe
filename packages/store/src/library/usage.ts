/** The hour at an offset, even before 1970, as an expression for both databases. */
export const hourAt = (at: string, offset: string): string => `(${at} + ${offset} - (((${at} + ${offset}) % 3600000) + 3600000) % 3600000) / 3600000`;
