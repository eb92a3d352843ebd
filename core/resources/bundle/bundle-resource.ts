import { resource } from '../../definition/resource.ts'
import { importLimits, importTargets } from './import-targets.ts'

/** What imports of wallets, private keys and secrets have in common. */
export const importResource = resource({ name: 'imports', states: [importTargets], limits: importLimits })
