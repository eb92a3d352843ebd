// The message stands at 'snapshotEvery'.
import { createEngine } from 'countersign'
import { memoryStore } from 'countersign/store-memory'

export const engine = createEngine({ store: memoryStore(), tuning: { snapshotEvery: '100' } })
