import { resource } from '../../definition/resource.ts'
import { listAppProofs } from './list-app-proofs.ts'

export { listAppProofs }

export const proofResource = resource({ name: 'proofs', queries: [listAppProofs] })
