import type { WalkPorts } from '../../core/policy-tools/walk.ts'
import { nodeContainer, tokens } from '../container.ts'
import { fileScratch } from '../scratch/file-scratch.ts'

/** Runs `use` with what a walk over a log needs on Node, and removes its temporary files. */
export const withWalkPorts = async <A>(use: (ports: Omit<WalkPorts, 'catalogue'>) => Promise<A>): Promise<A> => {
  const scratch = fileScratch()
  const parts = nodeContainer()
  try {
    return await use({ scratch, attestations: parts.resolve(tokens.attestations), clock: parts.resolve(tokens.clock) })
  } finally {
    scratch.close()
  }
}
