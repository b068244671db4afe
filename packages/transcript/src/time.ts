// Instants are milliseconds since 1970 in UTC. `Date` isn't used in this package: it reads the machine's clock and zone.

const DAY = 86_400_000;

/** Parses an ISO 8601 instant ("2026-11-15T02:35:39.377Z", with or without fraction or offset); NaN if invalid. */
export const parseInstant = (text: string): number => {
  if (text.length < 19 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) {
    return Number.NaN;
  }
  if (!'Tt '.includes(text.charAt(10))) return Number.NaN;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31 && minute < 60 && second < 61)) return Number.NaN;
  if (!(hour < 24 || (hour === 24 && minute === 0 && second === 0))) return Number.NaN;
  let at = 19;
  let fraction = 0;
  if (text.charCodeAt(at) === 46) {
    let scale = 100;
    for (at += 1; isDigit(text.charCodeAt(at)); at += 1) {
      fraction += (text.charCodeAt(at) - 48) * scale;
      scale = Math.floor(scale / 10); // digits after the third are ignored: summed up, they could round up to a millisecond
    }
  }
  const offset = zoneMinutes(text, at);
  return daysBeforeEpoch(year, month, day) * DAY + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
};

/** "2026-11-15T02:35:39.377Z" for an instant, null for NaN. */
export const formatInstant = (instant: number): string | null => {
  if (!Number.isFinite(instant)) return null;
  const ms = ((instant % DAY) + DAY) % DAY;
  const clock = `${pad(Math.floor(ms / 3_600_000), 2)}:${pad(Math.floor(ms / 60_000) % 60, 2)}:${pad(Math.floor(ms / 1000) % 60, 2)}`;
  return `${formatDay(instant)}T${clock}.${pad(Math.floor(ms % 1000), 3)}Z`;
};

/** The UTC calendar day of an instant, "2026-11-15". */
export const formatDay = (instant: number): string => {
  const z = Math.floor(instant / DAY) + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return `${pad(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4)}-${pad(month, 2)}-${pad(day, 2)}`;
};

const daysBeforeEpoch = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
};

// Nothing, "Z", "+05:30", "+0530" or "+05" up to the end of the text; NaN for anything else.
const zoneMinutes = (text: string, at: number): number => {
  const sign = text.charAt(at);
  if (sign === '' || sign === 'Z' || sign === 'z') return text.length <= at + 1 ? 0 : Number.NaN;
  if (sign !== '+' && sign !== '-') return Number.NaN;
  const from = text.charCodeAt(at + 3) === 58 ? at + 4 : at + 3;
  const hours = digits(text, at + 1, 2);
  const minutes = text.length === at + 3 ? 0 : digits(text, from, 2);
  if (!(hours < 24 && minutes < 60) || text.length > from + 2) return Number.NaN;
  return sign === '+' ? hours * 60 + minutes : -hours * 60 - minutes;
};

const digits = (text: string, from: number, count: number): number => {
  let value = 0;
  for (let i = from; i < from + count; i += 1) {
    const code = text.charCodeAt(i);
    if (!isDigit(code)) return Number.NaN;
    value = value * 10 + code - 48;
  }
  return value;
};

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const pad = (value: number, width: number): string => String(value).padStart(width, '0');
