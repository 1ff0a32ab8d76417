-- The account that a site's work is charged to, where accounts take turns: its first owner's, else the machine account that
-- made it, else the site's own. Null for a site that does not exist. The role of reports may call it and not read its tables.
CREATE FUNCTION account_of_site(site int) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT coalesce(
    (SELECT 'person ' || min(person_id) FROM membership WHERE site_id = $1 AND role = 'owner'),
    (SELECT 'machine ' || min(client.account_id) FROM client_site JOIN client ON client.id = client_site.client_id
      WHERE client_site.site_id = $1),
    'site ' || $1)
  WHERE EXISTS (SELECT FROM site WHERE id = $1)
$$;
