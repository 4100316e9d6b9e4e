/** Type of merchants: its name in the panel, and its codes (ISO 18245). */
type MerchantType = [name: string, codes: string];

/**
 * Types by saved name. 3000-3999 are brands of airlines, car rental and hotels. Codes that ISO 18245 lacks are of Visa and
 * Mastercard.
 */
export const MERCHANT_TYPES: Readonly<Record<string, MerchantType>> = {
	adult: ['Adult and Dating', '5967, 7273'],
	advertising: ['Advertising', '7311'],
	airlines: ['Airlines', '3000-3350, 4511'],
	alcohol: ['Alcohol and Bars', '5813, 5921'],
	carRental: ['Car Rental', '3351-3500, 7512, 7513, 7519'],
	cash: ['Cash and ATMs', '6010, 6011'],
	charities: ['Charities', '8398'],
	crypto: ['Crypto, Foreign Currency and Quasi-Cash', '6050, 6051'],
	digital: ['Digital Media, Games and Apps', '5815-5818'],
	fines: ['Fines, Taxes and Courts', '9211, 9222, 9223, 9311'],
	fuel: ['Fuel and EV Charging', '5541, 5542, 5552'],
	gambling: ['Gambling and Lotteries', '7800-7802, 7995, 9406'],
	groceries: ['Groceries', '5411, 5422, 5441, 5451, 5462, 5499'],
	hotels: ['Hotels', '3501-3999, 7011'],
	jewelry: ['Jewelry and Precious Metals', '5094, 5944'],
	moneyTransfer: ['Money Transfer and Prepaid Cards', '4829, 6536-6538, 6540'],
	parking: ['Parking and Tolls', '4784, 7523'],
	pawnShops: ['Pawn Shops', '5933'],
	pharmacies: ['Pharmacies', '5122, 5912'],
	politics: ['Political Organizations', '8651'],
	restaurants: ['Restaurants', '5811, 5812, 5814'],
	securities: ['Securities and Trading', '6211'],
	software: ['Software and Cloud', '4816, 5734, 5817, 7372'],
	telecom: ['Telephone and TV', '4814, 4899'],
	telesales: ['Direct Marketing and Telesales', '5962-5969'],
	tobacco: ['Tobacco', '5993'],
	transport: ['Taxis, Trains and Buses', '4111, 4112, 4121, 4131'],
	travelAgencies: ['Travel Agencies', '4722'],
};
