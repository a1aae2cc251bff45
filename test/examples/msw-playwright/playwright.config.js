import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.test.js',
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
})
