import { resource } from '../../definition/resource.ts'
import { quorum } from '../../organization/quorum.ts'
import { updateRootQuorum } from './update-root-quorum.ts'

export { updateRootQuorum }

export const quorumResource = resource({
  name: 'root-quorum',
  states: [quorum],
  operations: [updateRootQuorum],
})
