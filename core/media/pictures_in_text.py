"""Images in the HTML of texts: `<img data-image="pump.png"` names one, and answers give its address of today.

Nothing that is frozen holds an address, so a picture can move, be replaced or get more widths.
"""

FUNCTION = """
-- The text with an address, a size and a srcset for each image that it names: `p_keys` as they are written, `p_ids` the
-- images, `p_base` what addresses begin with. `p_is_json`: the HTML stands in JSON, where quotes are escaped.
create function media_show_images(p_text text, p_keys text[], p_ids uuid[], p_base text, p_is_json boolean)
returns text language plpgsql stable as $$
declare
    v_quote text := case when p_is_json then '\\"' else '"' end;
    v_named text;
    v_image record;
begin
    if strpos(p_text, '<img data-image=') = 0 then
        return p_text;
    end if;
    for v_image in
        select named.key, image.file, image.width, image.height, (
            select string_agg(p_base || file || ' ' || rendition.width || 'w', ', ' order by rendition.width)
            from media_rendition rendition
            where image_id = image.id and source_sha256 = image.sha256 and format = 'webp'
        ) as srcset
        from unnest(p_keys, p_ids) as named(key, id) join media_image image on image.id = named.id
        where image.file <> ''
    loop
        v_named := replace(replace(replace(v_image.key, '&', '&amp;'), '"', '&quot;'), '<', '&lt;');
        v_named := '<img data-image=' || v_quote || v_named || v_quote;
        p_text := replace(p_text, v_named, concat(
            v_named, ' src=', v_quote, p_base, v_image.file, v_quote,
            ' srcset=' || v_quote || v_image.srcset || v_quote,
            ' width=', v_quote, v_image.width, v_quote, ' height=', v_quote, v_image.height, v_quote,
            ' loading=', v_quote, 'lazy', v_quote));
    end loop;
    return p_text;
end $$;
"""
DROP_FUNCTION = "drop function media_show_images(text, text[], uuid[], text, boolean);"
