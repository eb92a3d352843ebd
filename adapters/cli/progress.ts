import { isTerminal } from './print.ts'

/** Tells how far a long reading has come: on a terminal, and only where there is much to read. */
export type Progress = { readonly passed: (count: bigint) => void; readonly end: () => void }

/**
 * A bar on standard error.
 *
 * @param total  how much there is, in whatever `passed` counts
 * @param much  from how much on it is worth a bar
 */
export const progressBar = async (total: bigint, much: bigint): Promise<Progress> => {
  if (!isTerminal('stderr') || total < much) return { passed: () => undefined, end: () => undefined }
  const { default: cliProgress } = await import('cli-progress')
  const bar = new cliProgress.SingleBar(
    { hideCursor: true, clearOnComplete: true, fps: 10 },
    cliProgress.Presets.shades_classic,
  )
  bar.start(Number(total), 0)
  return { passed: (count) => bar.update(Number(count)), end: () => bar.stop() }
}
