import type { Engine } from '../../../core/engine.ts'
import { failure, type Failure, type FailureCode, type Json } from '../../../core/failure.ts'
import { TE } from '../../../core/prelude.ts'
import type { SubmittedView } from '../../../core/view/activity-view.ts'
import type { Request } from '../../../core/request.ts'

/** What the transport handed over. */
export type Asked = { readonly operation: string; readonly request: Request }

export type FakeEngine = Engine & { readonly asked: Asked[] }

/** An engine that accepts everything and remembers what it was asked; `overrides` replace its answers. */
export const fakeEngine = (overrides: Partial<Engine> = {}): FakeEngine => {
  const asked: Asked[] = []
  return {
    asked,
    catalogue: { operations: [], byType: () => undefined, byPath: () => undefined },
    queries: [],
    submit: (operation, request) => {
      asked.push({ operation, request })
      return TE.right(anyView({ intent: { text: textOf(request) } }))
    },
    query: (operation, request) => {
      asked.push({ operation, request })
      return TE.right({ text: textOf(request) })
    },
    createOrganization: () => unused,
    firstOrganization: () => unused,
    whenProcessed: () => unused,
    lastPosition: () => unused,
    replay: () => unused,
    isReady: () => TE.right(undefined),
    close: () => Promise.resolve(),
    ...overrides,
  } as FakeEngine // the fake need not follow what the transport does not use
}

const unused: TE.TaskEither<Failure, never> = TE.left(failure('INTERNAL', 'the transport does not use this'))

/** An engine that refuses everything with this failure. */
export const refusing = (code: FailureCode, message = 'refused', details?: readonly Json[]): FakeEngine =>
  fakeEngine({
    submit: () => TE.left(failure(code, message, details)),
    query: () => TE.left(failure(code, message, details)),
    isReady: () => TE.left(failure(code, message, details)),
  })

export type Held = {
  readonly engine: FakeEngine
  /** How many submits wait. */
  readonly waiting: () => number
  /** Answers the longest waiting submit. */
  readonly release: () => void
}

/** An engine whose submits wait until they are released. */
export const holding = (): Held => {
  const waiting: (() => void)[] = []
  const engine = fakeEngine({
    submit: (_, request) => async () => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return TE.right(anyView({ intent: { text: textOf(request) } }))()
    },
  })
  return { engine, waiting: () => waiting.length, release: () => waiting.shift()?.() }
}

export const textOf = ({ body }: Request): string => Buffer.from(body).toString()

export const anyView = (some: Partial<SubmittedView> = {}): SubmittedView => ({
  id: '018f3c1e-0000-8000-8000-000000000001',
  organizationId: '018f3c1e-0000-4000-8000-000000000002',
  status: 'ACTIVITY_STATUS_COMPLETED',
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  intent: { createUserTagIntent: { userTagName: 'finance', userIds: [] } },
  result: { createUserTagResult: { userTagId: '018f3c1e-0000-4000-8000-000000000003', userIds: [] } },
  votes: [],
  fingerprint: `sha256:${'0'.repeat(64)}`,
  canApprove: false,
  canReject: false,
  appProofs: [],
  createdAtMs: 1_763_600_000_123,
  updatedAtMs: 1_763_600_060_456,
  failure: undefined,
  requestedAtMs: 1_763_599_999_999,
  ...some,
})
