import type { ToolResult } from '@yarnboard/transcript';

/** A tool use or result in a record; `record` identifies the record, whatever its type. */
export type PairedOperation<R> = {
  readonly record: R;
  readonly index: number;
  readonly kind: 'use' | 'result';
  readonly toolUseId: string;
  readonly answer: ToolResult['answer'] | null;
};

export type Pairs<R> = {
  /** The uuid of the record's n-th result, and the use it is below. */
  readonly nameOf: (record: R, uuid: string, n: number) => { readonly uuid: string; readonly parentUuid: string | null };
  /** The uuid of the result that counts for a use. */
  readonly resultOf: (toolUseId: string) => string | null;
};

/**
 * Assigns uuids to results. The one that counts is named after its use, another one (a stub before the answer, a replay) after its own record, so
 * that no two messages share a uuid. A result without a use has no parent.
 */
export const createPairs = <R>(operations: Iterable<PairedOperation<R>>, uuidOf: (record: R) => string | null): Pairs<R> => {
  const uses = new Map<string, PairedOperation<R>>();
  const counted = new Map<string, PairedOperation<R>>();
  const results = new Map<R, Map<number, PairedOperation<R>>>();
  for (const operation of operations) {
    const { toolUseId, kind, record, index, answer } = operation;
    // A result that names no use must not pair with a use without an id.
    if (toolUseId === '') continue;
    if (kind === 'use') {
      if (!uses.has(toolUseId)) uses.set(toolUseId, operation);
      continue;
    }
    const inRecord = results.get(record) ?? new Map<number, PairedOperation<R>>();
    results.set(record, inRecord.set(index, operation));
    const before = counted.get(toolUseId);
    // LIB-8: a later answer wins over an earlier stub or interruption.
    if (before === undefined || (before.answer !== 'answer' && answer === 'answer')) counted.set(toolUseId, operation);
  }
  const ownerOf = (toolUseId: string): { readonly uuid: string; readonly index: number } | null => {
    const use = uses.get(toolUseId);
    const uuid = use === undefined ? null : uuidOf(use.record);
    return use === undefined || uuid === null ? null : { uuid, index: use.index };
  };
  return {
    nameOf: (record, uuid, n) => {
      const result = results.get(record)?.get(n);
      const owner = result === undefined ? null : ownerOf(result.toolUseId);
      const own = `${uuid}_result_${n}`;
      if (result === undefined || owner === null) return { uuid: own, parentUuid: null };
      const isCounted = counted.get(result.toolUseId) === result;
      return { uuid: isCounted ? `${owner.uuid}_result_${owner.index}` : own, parentUuid: `${owner.uuid}_tool_${owner.index}` };
    },
    resultOf: (toolUseId) => {
      const owner = ownerOf(toolUseId);
      return owner === null || !counted.has(toolUseId) ? null : `${owner.uuid}_result_${owner.index}`;
    },
  };
};
