import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const miniflare = { compatibilityDate: '2026-01-01', compatibilityFlags: ['nodejs_compat'] }

export default defineConfig({ plugins: [cloudflareTest({ miniflare })] })
