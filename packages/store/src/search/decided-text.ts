import { definitionOf, isDecided } from '@yarnboard/domain';
import { isObject, type Json, type JsonObject } from '@yarnboard/transcript';

/** What people and agents wrote in a decided entry, one piece per line; empty for types without text of their own. */
export const decidedTextOf = (type: string, payload: JsonObject): string =>
  (isDecided(type) ? definitionOf(type).words : []).flatMap((path) => textsAt(payload, path)).join('\n');

const textsAt = (payload: JsonObject, path: string): readonly string[] => {
  const value = path.split('.').reduce<Json | undefined>((here, name) => (isObject(here) ? here[name] : undefined), payload);
  const values: readonly (Json | undefined)[] = isList(value) ? value : [value];
  return values.filter((one) => typeof one === 'string' && one !== '').map(String);
};

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
