import type { Inside, OperationName, OutputOf } from '@yarnboard/protocol';

/** A handler's answer: the registry's output type with internal names. */
export type Answer<N extends OperationName> = Promise<Inside<OutputOf<N>>>;
