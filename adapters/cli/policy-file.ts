import type { Clause } from '../../core/policy/expression.ts'
import { checkedText, type CheckedText, type PolicyMistake } from '../../core/policy-tools/check-policies.ts'
import { E } from '../../core/prelude.ts'
import { policyWarnings } from '../../core/resources/policy/policy-warnings.ts'
import type { Catalogue } from '../../core/definition/catalogue.ts'
import { countOf } from '../inbox/amounts.ts'
import { escapedLine } from '../inbox/escape.ts'
import { knownResources } from './known-resources.ts'
import { print, printLines, say } from './print.ts'
import { readText } from './read-text.ts'
import { unusable } from './stop.ts'

export type PolicyFileOptions = {
  /** The file is one bare expression: this clause. */
  readonly clause?: Clause
  readonly json?: boolean
  readonly resources?: string
}

/**
 * Prints each mistake of a file of policies, with the place, and warns as `policyWarnings` does.
 *
 * @param isOther  whether there are flags for other policies than those of the file
 * @returns the exit code: 1 if there is a mistake
 */
export const policyFile = async (
  file: string,
  { clause, json = false, resources }: PolicyFileOptions,
  isOther: boolean,
): Promise<number> => {
  if (isOther) throw unusable('expected a file alone, without --store, --organization, --condition and --consensus')
  const catalogue = await knownResources(resources)
  const text = await readText(file)
  const checked = checkedText(text, catalogue, clause)
  if (E.isLeft(checked)) throw unusable(`${file}: ${checked.left.message}`)
  const { mistakes, policies } = checked.right
  const warnings = mistakes.length > 0 ? [] : warningsOf(catalogue, checked.right, clause, text)
  if (json) print({ file, policies: policies.length, mistakes, warnings })
  else {
    printLines(mistakes.flatMap((mistake) => linesOf(file, mistake)))
    printLines(
      warnings.map(({ policy, policyName, warning }) => `${of(file, policy, policyName)}: warning: ${warning}`),
    )
    if (mistakes.length === 0)
      say(
        `countersign: ${clause === undefined ? countOf(policies.length, 'policy', 'policies') : 'one clause'}, no mistake`,
      )
  }
  return mistakes.length === 0 ? 0 : 1
}

type Warning = {
  readonly policy: number | undefined
  readonly policyName: string | undefined
  readonly warning: string
}

/** What policies name that no operation has, and what would not be denied. Such a policy is no mistake: a host may have the operation. */
const warningsOf = (
  catalogue: Catalogue,
  { policies }: CheckedText,
  clause: Clause | undefined,
  text: string,
): readonly Warning[] => {
  const warnings = policyWarnings(catalogue)
  const bare = clause === undefined ? [] : warnings.of({ condition: '', consensus: '', [clause]: text })
  return [
    ...bare.map((warning) => ({ policy: undefined, policyName: undefined, warning })),
    ...policies.flatMap(({ number, policy: { policyName, effect, condition = '', consensus = '' } }) =>
      warnings.of({ effect, condition, consensus }).map((warning) => ({ policy: number, policyName, warning })),
    ),
  ]
}

const of = (file: string, number: number | undefined, name: string | undefined): string => {
  if (number === undefined) return file
  return `${file}: policy ${number}${name === undefined ? '' : ` "${name}"`}`
}

const linesOf = (file: string, { policy, clause, message, place }: PolicyMistake): readonly string[] => {
  const where = of(file, policy?.number, policy?.policyName)
  const inClause = clause === undefined ? '' : `, ${clause}`
  if (place === undefined) return [`${where}${inClause}: ${message}`]
  const { line, column, length, text } = place
  return [`${where}${inClause}, line ${line}, column ${column}: ${message}`, ...marked(text, column - 1, length)]
}

/** How many characters of a long line are shown before a place, and behind it. */
const AROUND = 60

/** The line, or a part of a long one, and carets under the place. The line is escaped where it is printed: the carets count that. */
const marked = (text: string, at: number, length: number): readonly string[] => {
  const from = at > AROUND ? at - AROUND : 0
  const to = Math.min(text.length, at + AROUND)
  const before = `  ${from === 0 ? '' : '…'}${text.slice(from, at)}`
  const shown = text.slice(at, Math.min(at + length, to))
  const after = `${text.slice(at + shown.length, to)}${to < text.length ? '…' : ''}`
  const carets = '^'.repeat(Math.max(1, escapedLine(shown).length))
  return [`${before}${shown}${after}`, `${' '.repeat(escapedLine(before).length)}${carets}`]
}
