export { openTelemetry, type OpenTelemetryOptions } from './open-telemetry.ts'
export { prometheus, PROMETHEUS_CONTENT_TYPE, type Prometheus } from './prometheus.ts'
export type {
  Attributes,
  CounterName,
  GaugeName,
  HistogramName,
  SpanName,
  Telemetry,
} from '../../core/ports/telemetry.ts'
export type { MeterProvider, TracerProvider } from '@opentelemetry/api'
