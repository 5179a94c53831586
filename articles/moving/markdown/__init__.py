"""Markdown of other systems into ours, with every byte kept that means the same in both.

traced       a text that is edited and still knows where each part of it stood
regions      what of a text is code, and what is HTML
definitions  terms and what they mean, of kramdown and goldmark
pending      blocks that are written last, in the order of the text: figures, HTML, callouts
raw_html     HTML between paragraphs
prose        headings, links, pictures and HTML inside of lines
figures      pictures out of lines
placed       where the content of a token stands
rewriting    the order of the work
"""
