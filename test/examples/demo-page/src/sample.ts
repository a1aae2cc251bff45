// The importer's sample file.

const customers = [
  ['Café Elbblick', 'Hamburg'],
  ['Kontor 8', 'Bremen'],
  ['Panke Brew Bar', 'Berlin'],
  ['Sieben Türme', 'Lübeck'],
  ['Fördeküche', 'Kiel'],
  ['Tempelhof Toast', 'Berlin'],
  ['Isar Filter', 'München'],
] as const
const carriers = ['Own van', 'Parcel', 'Parcel', 'Freight', 'Cargo bike'] as const

/** Returns the same CSV file of shipments every time. */
export function sampleFile(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const [customer, city] = customers[index % customers.length] ?? customers[0]
    const bags = 4 + ((index * 7) % 40)
    const day = new Date(Date.UTC(2026, 0, 5 + Math.floor(index / 12))).toISOString().slice(0, 10)
    const number = String(index + 1).padStart(5, '0')
    return `SHP-26-${number},${customer},${city},${String(bags)},${(bags * 19.5).toFixed(2)},${carriers[index % carriers.length] ?? ''},${day},no`
  })
  return ['Reference,Customer,City,Bags,Value,Carrier,Shipped on,Delivered', ...lines].join('\n')
}
