/** A host that adds the vaults to the public API: a program that prints what it saw, as JSON. */
import { createEngine, generateKey, publicApi, type Client, type Json, type Tried } from 'countersign'
import { createPolicy, createUsers } from 'countersign/api'
import { auditLog, exportLog } from 'countersign/audit'
import { sqliteStore } from 'countersign/store-sqlite'
import { createVault } from './create-vault.ts'
import { deleteVault } from './delete-vault.ts'
import { extendVault } from './extend-vault.ts'
import { getVaultNames } from './get-vault-names.ts'
import { listVaults } from './list-vaults.ts'
import { renameVault } from './rename-vault.ts'
import { vaultResource } from './vault-resource.ts'

const resources = [...publicApi, vaultResource]

const outcomeOf = async (trying: Promise<Tried<unknown>>): Promise<string> => {
  const tried = await trying
  return tried.ok ? tried.activity.status : tried.failure.code
}

/** Lets the clerk in, who may work in small vaults, and gives the id of the first vault. */
const prepare = async (root: Client, publicKey: string): Promise<string> => {
  const apiKeys = [{ apiKeyName: 'clerk', publicKey, curveType: 'API_KEY_CURVE_P256' as const }]
  const users = [{ userName: 'clerk', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  await root.submit(createUsers, { users })
  const condition = "activity.resource == 'VAULT' && vault.shelves < 10 && vault.name != 'crown'"
  await root.submit(createPolicy, { policyName: 'clerks', effect: 'EFFECT_ALLOW', condition, notes: '' })
  const { result } = await root.submit(createVault, { name: 'cellar', shelves: 3 })
  return result?.vaultId ?? ''
}

/** What becomes of the vaults, from a policy that speaks of them to an audit. */
export const story = async (path: string): Promise<Json> => {
  const open = () => createEngine({ store: sqliteStore({ path }), resources, tuning: { snapshotEvery: 2 } })
  const [key, clerkKey] = [generateKey(), generateKey()]
  const engine = await open()
  const { organizationId } = await engine.createOrganization({ name: 'Host', key })
  const [root, clerk] = [engine.as({ organizationId, key }), engine.as({ organizationId, key: clerkKey })]
  const vaultId = await prepare(root, clerkKey.publicKey)
  const wrong = { policyName: 'wrong', effect: 'EFFECT_ALLOW', condition: 'vault.colour == 1', notes: '' } as const
  const seen = {
    clerkCreates: await outcomeOf(clerk.try(createVault, { name: 'attic', shelves: 1 })),
    clerkExtends: await outcomeOf(clerk.try(extendVault, { vaultId, shelves: 8 })),
    clerkExtendsAgain: await outcomeOf(clerk.try(extendVault, { vaultId, shelves: 1 })),
    wrongPolicy: await outcomeOf(root.try(createPolicy, wrong)),
    renamed: await outcomeOf(root.try(renameVault, { vaultId, name: 'crown' })),
    more: [
      await outcomeOf(root.try(createVault, { name: 'a', shelves: 0 })),
      await outcomeOf(root.try(createVault, { name: 'b', shelves: 0 })),
      await outcomeOf(root.try(createVault, { name: 'c', shelves: 0 })),
    ],
  }
  await engine.close()
  const again = await open()
  const later = again.as({ organizationId, key })
  const { vaults } = await later.query(listVaults, {})
  const names = await later.query(getVaultNames, { vaultId })
  const deleted = await outcomeOf(later.try(deleteVault, { vaultId }))
  await again.close()
  const { store, readModels } = await sqliteStore({ path, readOnly: true })
  const report = await auditLog(exportLog(store), { resources })
  await readModels.close()
  await store.close()
  const audit = { findings: report.findings.length, executions: report.counts.executions }
  return { ...seen, vaults: vaults.map(({ name }) => name), ...names, deleted, audit }
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await story(process.argv[2] ?? '')))
