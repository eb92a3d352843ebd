import type { Page } from 'playwright-core'
import type { Json } from '../../../core/failure.ts'

export type Answer = { readonly activity: { readonly id: string; readonly status: string }; readonly userId: string }

/** Calls a function of the page. */
export const call = async <A = Answer>(page: Page, name: string, ...members: readonly Json[]): Promise<A> =>
  page.evaluate<A>(`globalThis.page.${name}(${members.map((member) => JSON.stringify(member)).join(', ')})`)
