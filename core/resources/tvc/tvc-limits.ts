import { limits } from '../../definition/limits.ts'

export const tvcLimits = limits({
  tvcApps: { default: 20, about: 'Per organization.' },
  tvcDeployments: { default: 50, about: 'Per app: those that are marked as deleted, too.' },
  tvcOperators: { default: 500, about: 'Per organization.' },
  tvcOperatorSets: { default: 100, about: 'Per organization.' },
})
