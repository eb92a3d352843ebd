import { resource } from '../../definition/resource.ts'
import { ipAllowlists } from '../../organization/ip-allowlists.ts'
import { getIpAllowlist } from './get-ip-allowlist.ts'
import { removeIpAllowlist } from './remove-ip-allowlist.ts'
import { setIpAllowlist } from './set-ip-allowlist.ts'

export { getIpAllowlist, removeIpAllowlist, setIpAllowlist }

export const ipAllowlistResource = resource({
  name: 'ip-allowlists',
  states: [ipAllowlists],
  operations: [setIpAllowlist, removeIpAllowlist],
  queries: [getIpAllowlist],
})
