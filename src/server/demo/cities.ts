// Large cities of the world, for the demo: name, country, longitude, latitude, people of the urban area in millions (rounded
// estimates of recent years; for trying things out, not for quoting).

export type City = {
  readonly name: string;
  readonly country: string;
  readonly lng: number;
  readonly lat: number;
  readonly millions: number;
};

const TABLE = `
Tokyo|Japan|139.69|35.69|37.1
Delhi|India|77.21|28.61|33.8
Shanghai|China|121.47|31.23|29.9
Dhaka|Bangladesh|90.41|23.81|23.9
São Paulo|Brazil|-46.63|-23.55|22.8
Cairo|Egypt|31.24|30.04|22.6
Mexico City|Mexico|-99.13|19.43|22.5
Beijing|China|116.41|39.90|22.2
Mumbai|India|72.88|19.08|21.7
Osaka|Japan|135.50|34.69|18.9
New York|United States|-74.01|40.71|18.9
Chongqing|China|106.55|29.56|17.8
Karachi|Pakistan|67.01|24.86|17.6
Kinshasa|DR Congo|15.27|-4.44|17.0
Lagos|Nigeria|3.38|6.52|16.5
Istanbul|Türkiye|28.98|41.01|16.0
Buenos Aires|Argentina|-58.38|-34.60|15.6
Kolkata|India|88.36|22.57|15.6
Manila|Philippines|120.98|14.60|14.9
Guangzhou|China|113.26|23.13|14.6
Tianjin|China|117.20|39.13|14.5
Lahore|Pakistan|74.34|31.55|14.4
Bengaluru|India|77.59|12.97|14.0
Rio de Janeiro|Brazil|-43.17|-22.91|13.8
Shenzhen|China|114.06|22.54|13.3
Moscow|Russia|37.62|55.76|12.7
Los Angeles|United States|-118.24|34.05|12.6
Chennai|India|80.27|13.08|12.1
Bogotá|Colombia|-74.07|4.71|11.7
Jakarta|Indonesia|106.85|-6.21|11.4
Paris|France|2.35|48.86|11.3
Lima|Peru|-77.04|-12.05|11.4
Bangkok|Thailand|100.50|13.76|11.2
Hyderabad|India|78.49|17.39|11.1
Seoul|South Korea|126.98|37.57|10.0
Nagoya|Japan|136.91|35.18|9.6
London|United Kingdom|-0.13|51.51|9.7
Tehran|Iran|51.39|35.69|9.6
Chicago|United States|-87.63|41.88|9.0
Chengdu|China|104.07|30.57|9.8
Ho Chi Minh City|Vietnam|106.63|10.82|9.6
Luanda|Angola|13.23|-8.84|9.7
Kuala Lumpur|Malaysia|101.69|3.14|8.8
Xi'an|China|108.94|34.34|9.0
Riyadh|Saudi Arabia|46.68|24.71|7.8
Dar es Salaam|Tanzania|39.21|-6.79|8.2
Baghdad|Iraq|44.36|33.31|7.9
Santiago|Chile|-70.67|-33.45|7.0
Madrid|Spain|-3.70|40.42|6.8
Toronto|Canada|-79.38|43.65|6.4
Khartoum|Sudan|32.56|15.50|6.5
Johannesburg|South Africa|28.05|-26.20|6.3
Singapore|Singapore|103.82|1.35|6.1
Yangon|Myanmar|96.16|16.84|5.7
Abidjan|Côte d'Ivoire|-4.03|5.36|5.9
Alexandria|Egypt|29.92|31.20|5.7
Sydney|Australia|151.21|-33.87|5.2
Melbourne|Australia|144.96|-37.81|5.3
Saint Petersburg|Russia|30.34|59.93|5.6
Ankara|Türkiye|32.86|39.93|5.5
Nairobi|Kenya|36.82|-1.29|5.5
Hanoi|Vietnam|105.83|21.03|5.4
Addis Ababa|Ethiopia|38.75|9.01|5.7
Cape Town|South Africa|18.42|-33.92|4.9
Rome|Italy|12.50|41.90|4.3
Casablanca|Morocco|-7.59|33.57|3.9
Berlin|Germany|13.40|52.52|3.6
Kyiv|Ukraine|30.52|50.45|3.0
Dakar|Senegal|-17.44|14.69|3.4
Vancouver|Canada|-123.12|49.28|2.7
Almaty|Kazakhstan|76.95|43.24|2.0
Warsaw|Poland|21.01|52.23|1.8
Auckland|New Zealand|174.76|-36.85|1.7
Stockholm|Sweden|18.07|59.33|1.7
Novosibirsk|Russia|82.92|55.03|1.7
Perth|Australia|115.86|-31.95|2.1
Honolulu|United States|-157.86|21.31|1.0
Ulaanbaatar|Mongolia|106.91|47.89|1.7
Anchorage|United States|-149.90|61.22|0.3
Reykjavík|Iceland|-21.94|64.15|0.2
`;

export const CITIES: readonly City[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name = '', country = '', lng, lat, millions] = line.split('|');
    return { name, country, lng: Number(lng), lat: Number(lat), millions: Number(millions) };
  });
