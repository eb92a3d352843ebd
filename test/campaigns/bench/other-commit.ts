import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Progress, Table } from './figures.ts'

/** Another commit, built in a folder of its own. */
export type OtherCommit = { readonly root: string; readonly sha: string; readonly remove: () => Promise<void> }

/**
 * Checks a commit out as a worktree in a temporary folder and builds it there. Where its lock file is the repository's own, it
 * uses the repository's dependencies; otherwise `npm ci` installs its own ones.
 *
 * Rejects where there is no such commit, or where it does not build; nothing is left behind then.
 */
export const otherCommit = async (
  repository: string,
  ref: string,
  progress: Progress,
  signal?: AbortSignal,
): Promise<OtherCommit> => {
  const git = (...args: readonly string[]) => run('git', args, { cwd: repository, signal })
  const sha = (await git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)).trim()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-against-'))
  const [root, dependencies] = [join(folder, 'tree'), join(folder, 'tree', 'node_modules')]
  let isAdded = false
  const remove = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true }) // a link is removed, and not what it leads to
    if (isAdded) await run('git', ['worktree', 'remove', '--force', root], { cwd: repository })
  }
  try {
    progress(`building ${ref} (${sha.slice(0, 7)})`)
    await git('worktree', 'add', '--detach', root, sha)
    isAdded = true
    // A link that the commit brings with it would lead `npm ci` into somebody else's dependencies, which it removes.
    rmSync(dependencies, { recursive: true, force: true })
    const lockOf = (path: string): string => readFileSync(join(path, 'package-lock.json'), 'utf8')
    if (lockOf(repository) === lockOf(root)) symlinkSync(join(repository, 'node_modules'), dependencies, 'junction')
    else await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: root, signal })
    await run('npm', ['run', 'build'], { cwd: root, signal })
    return { root, sha, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Runs the bench that stands in a folder, as it is there, and reads what it measured.
 *
 * @param args  options of that bench
 */
export const benchOf = async (
  root: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Table[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const file = join(folder, 'figures.json')
  try {
    await run(process.execPath, ['--import', 'tsx', 'test/campaigns/bench/run.ts', ...args, '--json', file], {
      cwd: root,
      signal,
    })
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly tables: readonly Table[] }).tables // a bench wrote it
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Where = { readonly cwd: string; readonly signal?: AbortSignal | undefined }

/** What a program prints on standard output. Rejects with all that it printed where it fails. */
const run = (command: string, args: readonly string[], { cwd, signal }: Where): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, signal, stdio: ['ignore', 'pipe', 'pipe'] })
    let [printed, complained] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${[command, ...args].join(' ')}: exit code ${code}\n${printed}${complained}`))
    })
  })
