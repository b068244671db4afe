import type { Inside, OperationName, OutputOf } from '@yarnboard/protocol';

/** What a handler answers: the registry's output, named as inside. */
export type Answer<N extends OperationName> = Promise<Inside<OutputOf<N>>>;
