import { invalidAt } from '../codec/codec.ts'
import { refusal } from '../definition/refuse.ts'
import type { Language } from '../policy/expression.ts'
import { E } from '../prelude.ts'

/** Refuses a member of an intent that is no condition of the policy language. */
export const checkCondition = (member: string, text: string, language: Language): void => {
  const compiled = language.condition(text)
  if (E.isLeft(compiled))
    throw refusal(invalidAt('parameters', [{ field: member, description: compiled.left.message }]))
}
