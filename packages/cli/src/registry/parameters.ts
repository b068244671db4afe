import { flagOf, type Operation } from '@yarnboard/protocol';

/** How a value is written in a terminal. */
export type Form =
  /** Prose takes the rest of the line, or standard input. */
  | { readonly kind: 'text'; readonly isProse: boolean }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'number' }
  /** `isText`: addresses spell it "true". */
  | { readonly kind: 'switch'; readonly isText: boolean }
  | { readonly kind: 'list'; readonly hasCommas: boolean }
  /** `isOpen`: its values may be anything; what parses as JSON is taken as JSON. */
  | { readonly kind: 'record'; readonly hasCommas: boolean; readonly isOpen: boolean };

/** One input of an operation. */
export type Parameter = {
  readonly name: string;
  readonly flag: string;
  readonly form: Form;
  /** `null`: it must be given, and null is valid, too. */
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly standard: unknown;
  readonly help: string;
};

/** CLI-19: an operation's inputs, derived from its schema: additions to the registry appear at once. */
export const parametersOf = ({ input }: Operation): readonly Parameter[] =>
  Object.entries(input.shape).map(([name, schema]) => {
    const outer = schema as unknown as Schema; // zod's own type says less than its schemas have
    const wrapped = layersOf(outer);
    const inner = wrapped.at(-1) ?? outer;
    const has = (type: string): boolean => wrapped.some(({ def }) => def.type === type);
    return {
      name,
      flag: flagOf(name),
      form: formOf(inner),
      isRequired: !has('optional') && !has('default'),
      isNullable: has('nullable'),
      standard: wrapped.find(({ def }) => def.type === 'default')?.def.defaultValue,
      help: wrapped.find(({ description }) => description !== undefined)?.description ?? '',
    };
  });

/** The part of a zod schema that the terminal uses. */
type Schema = {
  readonly description?: string;
  readonly format?: string | null;
  readonly maxLength?: number | null;
  readonly options?: readonly unknown[];
  readonly def: {
    readonly type: string;
    readonly innerType?: Schema;
    readonly in?: Schema;
    readonly out?: Schema;
    readonly element?: Schema;
    readonly valueType?: Schema;
    readonly defaultValue?: unknown;
  };
};

/** A schema and its wrapped schemas, down to the one that determines how a value looks. */
const layersOf = (schema: Schema): readonly Schema[] => {
  const { def } = schema;
  const inner = def.innerType ?? (def.in?.def.type === 'transform' ? def.out : undefined);
  return inner === undefined ? [schema] : [schema, ...layersOf(inner)];
};

const formOf = (schema: Schema): Form => {
  const { def } = schema;
  if (def.type === 'enum') return { kind: 'choice', values: (schema.options ?? []).map(String) };
  if (def.type === 'number') return { kind: 'number' };
  if (def.type === 'boolean') return { kind: 'switch', isText: false };
  if (def.type === 'pipe' && def.out?.def.type === 'boolean') return { kind: 'switch', isText: true };
  if (def.type === 'array') return { kind: 'list', hasCommas: !isProse(def.element) };
  if (def.type === 'record') {
    const isOpen = def.valueType?.def.type === 'unknown';
    return { kind: 'record', hasCommas: !isOpen && !isProse(def.valueType), isOpen };
  }
  return { kind: 'text', isProse: isProse(schema) };
};

// Names, references and paths have a maximum length and a form; prose has neither.
const isProse = (schema: Schema | undefined): boolean =>
  schema?.def.type === 'string' && (schema.format ?? null) === null && (schema.maxLength ?? Infinity) > LONGEST_NAME;

const LONGEST_NAME = 4096;
