import type { BadDirectory } from './run-place.ts';
import type { Elsewhere } from './runs-others.ts';

/** Why a run operation was refused. */
export type RunRefusal =
  | { readonly kind: 'no-run'; readonly runId: string }
  | { readonly kind: 'ended'; readonly runId: string }
  | Elsewhere
  | BadDirectory
  | { readonly kind: 'no-sdk'; readonly why: string }
  | { readonly kind: 'busy'; readonly sessionId: string; readonly runId: string | null }
  | { readonly kind: 'not-released'; readonly sessionId: string; readonly why: string }
  | { readonly kind: 'queue-full' | 'queue-too-long'; readonly runId: string; readonly most: number }
  | { readonly kind: 'heard'; readonly runId: string; readonly uuid: string }
  | { readonly kind: 'no-request'; readonly runId: string; readonly requestId: string }
  | { readonly kind: 'settled'; readonly requestId: string; readonly how: 'answered' | 'withdrawn' }
  | { readonly kind: 'stopping' | 'importing' };
