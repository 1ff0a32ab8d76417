/**
 * Referrer spam domains. A selection: families of Matomo's public list (referrer-spam-list, which has no npm release)
 * and of the waves of 2024 that several reports confirm. Shops and portals on that list with real visitors are left
 * out.
 */
export const SPAM_DATE = "2026-11-20";

const SPAMMERS = new Set(
  `semalt.com semalt.net semaltmedia.com darodar.com ilovevitaly.com ilovevitaly.co blackhatworth.com priceg.com
   savetubevideo.com savetubevideo.info 4webmasters.org 0n-line.tv 100dollars-seo.com 1-99seo.com
   1-best-seo.com 2-best-seo.com 3-best-seo.com 4-best-seo.com 5-best-seo.com 6-best-seo.com 7-best-seo.com
   8-best-seo.com 9-best-seo.com best-seo-offer.com best-seo-solution.com best-seo-software.xyz
   buttons-for-website.com buttons-for-your-website.com 1-free-share-buttons.com share-buttons-for-free.com
   share-buttons.xyz simple-share-buttons.com sharebutton.io sharebutton.net sharebutton.to social-button.xyz
   social-buttons.com social-buttons-ii.xyz socialbuttons.xyz social-widget.xyz
   social-traffic-1.xyz social-traffic-2.xyz social-traffic-3.xyz social-traffic-4.xyz social-traffic-5.xyz
   social-traffic-7.xyz ranksonic.info ranksonic.net ranksonic.org rank-checker.online rankings-analytics.com
   site-auditor.online sitevaluation.org success-seo.com super-seo-guru.com seocheckupx.com seocheckupx.net
   seo-2-0.com seo-platform.com seo-services-b2b.com seo-services-wordpress.com seo-traffic.xyz seoservices2018.com
   resell-seo-services.com amazon-seo-service.com ai-seo-services.com anti-crisis-seo.com
   auto-b2b-seo-service.com auto-seo-service.org autoseo-service.org autoseo-traffic.com autoseotips.com
   backlinks-fast-top.com startraffic.online supertraffic.xyz blogorganictraffic.shop blogtraffic.shop
   bot-traffic.icu bot-traffic.xyz bottraffic.live bottraffic143.xyz bottraffic329.xyz bottraffic4free.club
   bottraffic4free.host bottraffic999.xyz 1xbet-entry.ru 1xbetcc.com 1xbetonlines1.ru 1xbetportugal.com 1xbetts.ru
   1xslot-casino.online 1xslot-casino.ru 1xslot-casino.site 1xslot.site 1xslots-africa.site 1xslots-casino.site
   1xslots.site 1x-slot.site 1x-slots.site superslots-casino.online superslots-casino.site superslotz-casino.site
   grets.store razas.site seders.website mantero.online dertus.site bartikus.site rida.tokyo trafficbooster.pro`.split(
    /\s+/,
  ),
);

/** Returns the known spam domain that a host belongs to, or null. */
export function spammerOf(host: string): string | null {
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    if (SPAMMERS.has(name)) return name;
  }
  return null;
}
