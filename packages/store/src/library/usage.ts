/** Which hour it is at an offset, also before 1970: as an expression of both databases. */
export const hourAt = (at: string, offset: string): string => `(${at} + ${offset} - (((${at} + ${offset}) % 3600000) + 3600000) % 3600000) / 3600000`;
