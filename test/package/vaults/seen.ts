/** What the host has to see of its vaults, here and out of the packed package. */
export const seenOfVaults = {
  clerkCreates: 'REQUEST_NOT_AUTHORIZED',
  clerkExtends: 'ACTIVITY_STATUS_COMPLETED',
  clerkExtendsAgain: 'REQUEST_NOT_AUTHORIZED',
  wrongPolicy: 'REQUEST_INVALID',
  renamed: 'ACTIVITY_STATUS_COMPLETED',
  more: ['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_COMPLETED', 'RESOURCE_EXHAUSTED'],
  vaults: ['crown', 'a', 'b'],
  names: ['crown', 'cellar'],
  deleted: 'ACTIVITY_STATUS_COMPLETED',
  audit: { findings: 0, executions: 9 },
}
