import { spawnSync } from 'node:child_process'

/** What lies at the root: what a stranger expects there. */
const ROOT: ReadonlySet<string> = new Set([
  '.ci',
  '.editorconfig',
  '.gitattributes',
  '.gitignore',
  '.npmrc',
  '.oxlintrc.json',
  '.prettierignore',
  '.prettierrc.json',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'adapters',
  'core',
  'docs',
  'examples',
  'package-lock.json',
  'package.json',
  'test',
  'tsconfig.build.json',
  'tsconfig.json',
])

/** @param paths  of the files of the repository */
export const rootFindings = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths.map((path) => path.split('/')[0] ?? ''))]
    .filter((name) => !ROOT.has(name))
    .map((name) => `${name}:1 nobody expects this at the root`)

export const SUBJECT_MAX = 72

/** @param commits  each as `<hash> <subject>` */
export const commitFindings = (commits: readonly string[]): readonly string[] =>
  commits.flatMap((commit) => {
    const at = commit.indexOf(' ')
    const length = commit.length - at - 1
    return length > SUBJECT_MAX ? [`${commit.slice(0, at)}:1 the subject of this commit has ${length} characters`] : []
  })

/** The commits since the rule about their subjects. */
export const COMMITS = ['log', '--no-merges', '--since=2026-11-25T12:00:00Z', '--format=%h %s']

/** The lines that git gives; undefined where this is no clone, such as in an unpacked archive. */
export const git = (...words: readonly string[]): readonly string[] | undefined => {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined
}
