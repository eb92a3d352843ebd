import { execFileSync } from 'node:child_process'

/** A number that follows from the commit: CI tries something else with each commit, and everybody can try the same again. */
export const numberOfCommit = (): number =>
  Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 7), 16)
