import type { HistogramName } from '../../core/ports/telemetry.ts'

/** The upper bounds of the buckets of each distribution, in its unit. An SDK may use other bounds. */
export const buckets: Readonly<Record<HistogramName, readonly number[]>> = {
  'countersign.request.duration': [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  'countersign.append.group': [1, 2, 4, 8, 16, 32, 64, 128, 256],
  'countersign.append.duration': [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
}
