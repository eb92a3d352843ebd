import * as t from '../../../core/codec/t.ts'
import { hostState } from '../world/with-host.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { operation, type Operation, type PerformContext } from '../../../core/definition/operation.ts'

export type Receipt = { readonly receipt: string }

export type NoticeOptions = {
  readonly outside: boolean
  /** @param tags  how many tags there were when the work was let begin, where it is told */
  readonly run?: (text: string, context: PerformContext, tags: number) => Receipt | Promise<Receipt>
  readonly tellsTags?: boolean
  readonly whenInterrupted?: 'retry' | 'fail'
  readonly attemptsMax?: number
  /** Called when the operation concludes with what the work brought. */
  readonly onConclusion?: () => void
}

export const RESUME_AFTER_MS = 60_000

/** A host's operation with work to do: it posts a notice, and the organization remembers the receipt. */
export const postNotice = ({
  outside,
  run,
  tellsTags = false,
  whenInterrupted = 'retry',
  attemptsMax = 3,
  onConclusion = () => undefined,
}: NoticeOptions): Operation =>
  operation({
    type: 'ACTIVITY_TYPE_POST_NOTICE',
    path: 'post_notice',
    summary: 'Posts a notice.',
    resource: 'NOTICE',
    action: 'CREATE',
    intent: t.fields({ text: t.string }),
    result: t.fields({ receipt: t.string }),
    change: t.fields({ text: t.string, receipt: t.string }),
    check: ({ text }, { organization }) => ({ text, tags: tellsTags ? userTags.of(organization).size : 0 }),
    perform: {
      outside,
      resumeAfterMs: RESUME_AFTER_MS,
      attemptsMax,
      whenInterrupted,
      performed: t.fields({ receipt: t.string }),
      run: ({ text, tags }, context) => run?.(text, context, tags) ?? { receipt: `receipt of ${text}` },
    },
    execute: ({ text }, { performed: { receipt } }) => {
      onConclusion()
      return { result: { receipt }, change: { text, receipt } }
    },
    evolve: (draft, { text, receipt }) => void hostState.in(draft).set(`notice ${text}`, receipt),
  })
